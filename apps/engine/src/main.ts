import { runRole } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

/** Consumes triggers and due timers, and sweeps up what got stuck. */
runRole('engine', startEngine);
