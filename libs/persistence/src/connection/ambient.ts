import { AsyncLocalStorage } from 'node:async_hooks';

/** What one owner has set, and what others have. Each owner is there at most once. */
type Layer = { owner: object; value: unknown; others: Layer | undefined };

/** One for all: each storage makes every promise of the process slower, for as long as the process runs. */
const layers = new AsyncLocalStorage<Layer | undefined>();

/** A value for the work that runs and for everything that it calls, as `AsyncLocalStorage` has it. */
export class Ambient<T> {
  getStore(): T | undefined {
    let layer = layers.getStore();
    while (layer && layer.owner !== this) layer = layer.others;
    return layer?.value as T | undefined;
  }

  run<Result>(value: T, work: () => Result): Result {
    return layers.run({ owner: this, value, others: without(layers.getStore(), this) }, work);
  }

  /** Runs the work without the value. */
  exit<Result>(work: () => Result): Result {
    return layers.run(without(layers.getStore(), this), work);
  }
}

function without(layer: Layer | undefined, owner: object): Layer | undefined {
  if (!layer || layer.owner === owner) return layer?.others;
  const others = without(layer.others, owner);
  return others === layer.others ? layer : { ...layer, others };
}
