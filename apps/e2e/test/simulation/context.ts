import { BEGIN, type MemoryStore, type Witness, type World } from '@clarion/testing/memory-store';
import type { Scenario } from './scenario';

/** What every part of one simulation shares. */
export type SimulationContext = { world: World; store: MemoryStore; witness: Witness; scenario: Scenario };

/** Whether the scenario injects no more faults. */
export const isCalm = ({ world, scenario }: SimulationContext): boolean => world.now >= BEGIN + scenario.calmAfterMs;

export const ignore = (): void => undefined;
