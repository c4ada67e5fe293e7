import { setFlagsFromString } from 'node:v8';

/**
 * Loading the code makes V8 enlarge the space for new objects to 32 MB, because nearly everything that is loaded stays,
 * and V8 never makes it smaller in an idle process. Imported before everything else, so that this space keeps its first
 * size during the start. It costs no time: what stays would be moved out of this space anyway.
 */
setFlagsFromString('--semi-space-growth-factor=1');

/** From now on the space grows with the work, as V8 does it by default. */
export function endSmallStart(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
