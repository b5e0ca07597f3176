/** A turn of the event loop that has taken so long lets nobody in any more. */
const TURN_MS = 200;

/**
 * Lets in whoever is read early in a turn of the event loop. Whoever is read late in it has waited all the while, and what is let in
 * makes those of the next turn wait.
 */
export const createDoor = () => {
  let isTurn = false;
  let began = 0;
  const end = (): void => {
    isTurn = false;
  };
  return (): boolean => {
    const now = performance.now();
    if (isTurn) return now - began < TURN_MS;
    isTurn = true;
    began = now;
    setImmediate(end);
    return true;
  };
};
