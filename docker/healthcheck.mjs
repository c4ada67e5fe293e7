/** Asks the app of this container whether it is ready. Docker runs it in the folder of the app. */
import { basename } from 'node:path';
import process from 'node:process';

const { PORT, CLARION_OBSERVE_PORT } = process.env;
const port = ['gateway', 'standalone'].includes(basename(process.cwd())) ? PORT : CLARION_OBSERVE_PORT;
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(3_000) });
process.exitCode = answer.ok ? 0 : 1;
