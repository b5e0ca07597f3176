/** An item of a sorted sequence. */
interface MergeItem {
  readonly key: string;
  /** True if the key was removed. */
  readonly isGone: boolean;
}

/**
 * Merges two sequences that are sorted by key, each key once. A newer item replaces an older one; removed keys are left
 * out.
 */
export async function* mergeByKey<T extends MergeItem>(
  older: AsyncIterable<T>,
  newer: AsyncIterable<T>,
): AsyncIterable<T> {
  const [olds, news] = [older[Symbol.asyncIterator](), newer[Symbol.asyncIterator]()];
  try {
    let [old, fresh] = [await olds.next(), await news.next()];
    while (!old.done || !fresh.done) {
      const isOld = !old.done && (fresh.done || old.value.key < fresh.value.key);
      const next = (isOld ? old.value : fresh.value) as T;
      if (!next.isGone) yield next;
      if (!isOld && !old.done && old.value.key === next.key) old = await olds.next();
      if (isOld) old = await olds.next();
      else fresh = await news.next();
    }
  } finally {
    await olds.return?.();
    await news.return?.();
  }
}
