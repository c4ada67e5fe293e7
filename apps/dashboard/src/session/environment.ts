/**
 * The environment that the page works in, from the address, so that a link that is sent to a colleague leads to the
 * same environment. Without one it is the environment of the key. It does not change while the document lives: another
 * environment is another document, so no query, form or stream can mix the data of two (`router.tsx`).
 */
const environment = new URLSearchParams(window.location.search).get('environment');

export const chosenEnvironment = (): string | null => environment;

/** Loads a page in an environment; null is the environment of the key. A page with unsaved changes asks first. */
export const openInEnvironment = (path: string, id: string | null): void =>
  window.location.assign(id === null ? path : `${path}?${new URLSearchParams({ environment: id }).toString()}`);
