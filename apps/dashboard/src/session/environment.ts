/**
 * The environment that the page works in, from the address, so that a link that is sent to a colleague leads to the
 * same environment. Without one it is the environment of the key.
 */
const ENVIRONMENT_PARAMETER = 'environment';

export const chosenEnvironment = (): string | null =>
  new URLSearchParams(window.location.search).get(ENVIRONMENT_PARAMETER);
