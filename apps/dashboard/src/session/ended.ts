import { createStore } from '../ui/store';

/** Whether a request was refused because there is no session any more. The page stays, so nothing typed is lost. */
export const endedSession = createStore(false);
