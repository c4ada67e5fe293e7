import type { JsonObject } from '@clarion/contracts/core';

/** What templates may read, by a search of their JSON. Those that certainly read nothing need no render process. */
type Reads = { translations: boolean; environment: boolean };

/** The name of a translation: `t.` or `t[`, not after a part of a name. In JSON, a line break ends with an n. */
const TRANSLATION = /(?:[^\p{L}\p{N}_.\]-]|\\[bfnrt]|\\u[0-9a-f]{4})t[.[]/u;

/** Control values of a version never change, so they are searched once. */
const searched = new WeakMap<JsonObject, Reads>();

function readsOf(controls: JsonObject): Reads {
  let reads = searched.get(controls);
  if (!reads) {
    const json = JSON.stringify(controls);
    searched.set(controls, (reads = { translations: TRANSLATION.test(json), environment: json.includes('env') }));
  }
  return reads;
}

export const readsTranslations = (controls: JsonObject): boolean => readsOf(controls).translations;

/** True when the templates may read a variable of the environment, in any spelling. */
export const readsEnvironment = (controls: JsonObject): boolean => readsOf(controls).environment;
