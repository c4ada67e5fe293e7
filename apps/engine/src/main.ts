import { runRole } from '@clarion/runtime';
import { EngineModule } from './engine.module';

/** Consumes triggers and due timers, and runs the sweeper. */
runRole('engine', EngineModule);
