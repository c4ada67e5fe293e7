import { runRole } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

/** Consumes triggers and due timers, and runs the sweeper. */
runRole('engine', startEngine);
