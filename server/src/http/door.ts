/** A turn of the event loop that takes longer is long. */
const TURN_MS = 200;
/** So few in a turn are no overload, however long they take. */
const ALWAYS = 16;

/**
 * Lets in whoever is read early in a turn of the event loop. Whoever is read late in it has waited all the while, and what is let in
 * makes those of the next turn wait. One long turn is no overload: that is two in a row.
 */
export const createDoor = () => {
  let isTurn = false;
  let wasLong = false;
  let began = 0;
  let asked = 0;
  const end = (): void => {
    isTurn = false;
    wasLong = performance.now() - began >= TURN_MS;
  };
  return (): boolean => {
    asked++;
    if (isTurn) return !wasLong || asked <= ALWAYS || performance.now() - began < TURN_MS;
    isTurn = true;
    asked = 1;
    began = performance.now();
    setImmediate(end);
    return true;
  };
};
