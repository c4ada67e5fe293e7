/** The search parameters of an address. A parameter that is repeated is a list. */
export type Search = Record<string, string | string[] | undefined>;

/** Plain `a=1&a=2` instead of the router's JSON, so that people can read and write addresses. */
export function parseSearch(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null && each !== '') parameters.append(name, String(each));
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

type Given = Record<string, unknown>;

/** Reads one text of the address; a repeated parameter counts with its last value. */
export function oneText(search: Given, name: string): string | undefined {
  const value = [search[name]].flat().at(-1);
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

export function texts(search: Given, name: string): string[] | undefined {
  const values = [search[name]].flat().filter((value) => value !== undefined && value !== null && value !== '');
  return values.length > 0 ? values.map(String) : undefined;
}

/** Reads one of the known values; anything else counts as absent. */
export const oneOf =
  <const T extends string>(...known: readonly T[]) =>
  (search: Given, name: string): T | undefined =>
    known.find((each) => each === oneText(search, name));

export const someOf =
  <const T extends string>(...known: readonly T[]) =>
  (search: Given, name: string): T[] | undefined => {
    const given = texts(search, name) ?? [];
    const values = known.filter((each) => given.includes(each));
    return values.length > 0 ? values : undefined;
  };

type Shape = Record<string, (search: Given, name: string) => unknown>;

export type Read<S extends Shape> = { [Name in keyof S]?: ReturnType<S[Name]> };

export const reader =
  <S extends Shape>(shape: S) =>
  (search: Given): Read<S> =>
    Object.fromEntries(Object.entries(shape).map(([name, read]) => [name, read(search, name)])) as Read<S>;
