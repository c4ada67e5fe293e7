/** A list parameter without the empty texts that forms send for "nothing"; undefined when nothing is left. */
export function givenTexts(list: string[] | undefined): string[] | undefined {
  const texts = list?.filter((text) => text !== '');
  return texts && texts.length > 0 ? texts : undefined;
}

/** `contextKeys` is the one list where empty says something: only what has no context. */
export function givenContexts(list: string[] | undefined): string[] | undefined {
  return list?.filter((text) => text !== '');
}
