import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LoopReading } from './loop-delay';

/**
 * Preloaded (`--require`) into a process whose event loop is measured; `LoopDelay` reads it. A timer asks how late it
 * is and how much processor time this thread took since the last time. The smaller of the two is the time for which
 * the work of this process blocked the loop: on a busy machine a timer is late without any work.
 */
const EVERY_MS = 10;

const cpuMs = (): number => {
  try {
    // The first number is the processor time of the main thread in nanoseconds.
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
};

let reading: LoopReading = { blockedMs: 0, lateMs: 0, cpuMs: 0, delays: [] };
let at = performance.now();
let cpu = cpuMs();

setInterval(() => {
  const [now, used] = [performance.now(), cpuMs()];
  const late = now - at - EVERY_MS;
  const blocked = Math.min(late, used - cpu);
  reading.blockedMs = Math.max(reading.blockedMs, blocked);
  reading.lateMs = Math.max(reading.lateMs, late);
  reading.cpuMs += used - cpu;
  reading.delays.push(late);
  [at, cpu] = [now, used];
}, EVERY_MS).unref();

process.on('message', (message) => {
  if (message === 'live') {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    process.send!({ live: process.memoryUsage().heapUsed });
  }
  if (message !== 'loop') return;
  process.send!({ loop: reading });
  reading = { blockedMs: 0, lateMs: 0, cpuMs: 0, delays: [] };
});
