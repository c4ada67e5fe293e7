import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loading the code makes V8 enlarge the space for new objects to 32 MB, because nearly everything that is loaded stays,
 * and V8 never makes it smaller in an idle process. Imported before everything else, so that this space keeps its first
 * size during the start. It costs no time: what stays would be moved out of this space anyway.
 */
setFlagsFromString('--semi-space-growth-factor=1');

/**
 * From now on the space grows with the work, as V8 does it by default. What only the start needed is a quarter of the
 * memory of the process: V8 would collect it after much work, and an idle process would keep it for good.
 */
export function endSmallStart(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  // A context has the function if it is made after the flag was set.
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-compact-on-every-full-gc');
  setFlagsFromString('--no-expose-gc');
}
