import { BrokerTransparencyError } from '../base-error.ts';

/**
 * Faults of the data that the service sent:
 *
 * - `page_altered`: the entries of a page are not those of the tree that it names
 * - `entry_dropped`: a page lacks an entry of the range that it covers
 * - `page_swapped`: a page begins behind a later number than was asked for
 * - `page_replayed`: a page that came before came again
 * - `page_filtered`: a page leaves entries out, so it proves nothing
 * - `root_not_continued`: the history is not the one that was signed before
 * - `other_log`: a checkpoint is of a log that the policy does not accept
 * - `checkpoint_altered`: the signature of a checkpoint is wrong, or it does not continue the tree
 * - `went_backwards`: the record ends before a number that was signed
 * - `file_altered`: a file of a snapshot is not the one that the manifest names
 * - `not_in_log`: an entry of a snapshot is not the one that the log has at its number
 * - `value_altered`: a value is not the one whose hash the entry has
 */
export type ProofErrorCode =
  | 'page_altered'
  | 'entry_dropped'
  | 'page_swapped'
  | 'page_replayed'
  | 'page_filtered'
  | 'root_not_continued'
  | 'other_log'
  | 'checkpoint_altered'
  | 'went_backwards'
  | 'file_altered'
  | 'not_in_log'
  | 'value_altered';

/**
 * The data that the service sent fails its proof. None of it was applied.
 * @example if (error instanceof ProofError && error.code === 'page_altered') console.error(error.message);
 */
export class ProofError extends BrokerTransparencyError {
  readonly code: ProofErrorCode;
  constructor(code: ProofErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
ProofError.prototype.name = 'ProofError';
