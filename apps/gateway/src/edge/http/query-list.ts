/** Removes empty texts. An empty `contextKeys` list has a meaning: only rows without a context. */
export function givenContexts(list: string[] | undefined): string[] | undefined {
  return list?.filter((text) => text !== '');
}
