import { canonicalJson, isJsonObject, type Json, type JsonObject, type PayloadChangeDto } from '@clarion/contracts';

const MAX_CHANGES = 200;
const MAX_CHARACTERS = 500;

export function payloadChanges(good: JsonObject, current: JsonObject): PayloadChangeDto[] {
  const changes: PayloadChangeDto[] = [];
  compare([], good, current, changes);
  return changes;
}

function compare(path: string[], good: Json | undefined, current: Json | undefined, changes: PayloadChangeDto[]): void {
  if (changes.length >= MAX_CHANGES) return;
  if (isJsonObject(good) && isJsonObject(current)) {
    for (const name of new Set([...Object.keys(good), ...Object.keys(current)])) {
      compare([...path, name], good[name], current[name], changes);
    }
    return;
  }
  const [before, after] = [good, current].map((value) => (value === undefined ? undefined : canonicalJson(value)));
  if (before === after) return;
  changes.push({
    path: path.join('.'),
    ...(before !== undefined && { good: before.slice(0, MAX_CHARACTERS) }),
    ...(after !== undefined && { current: after.slice(0, MAX_CHARACTERS) }),
  });
}
