/** `contextKeys` is the one list where empty says something: only what has no context. */
export function givenContexts(list: string[] | undefined): string[] | undefined {
  return list?.filter((text) => text !== '');
}
