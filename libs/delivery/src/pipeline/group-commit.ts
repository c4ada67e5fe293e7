/** Held steps from which on statements are shared. */
const MANY_STEPS = 50;
const GROUP_COMMIT_MS = 10;

/** How long a write waits for others to share its statement: not at all while few steps are held. */
export const flushDelayMs = (heldSteps: number): number => (heldSteps > MANY_STEPS ? GROUP_COMMIT_MS : 0);

/** The most outcomes or marks in one statement. */
export const GROUP_COMMIT_SIZE = 500;
