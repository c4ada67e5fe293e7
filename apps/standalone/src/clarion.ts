import { COMMANDS } from './cli/commands';
import { runCommandLine } from './cli/run-command-line';

/** The exit code of a program that SIGPIPE ends. */
const PIPE_CLOSED = 141;

// The reader of the output has ended, as in `clarion stuck | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(PIPE_CLOSED);
});

void runCommandLine(process.argv.slice(2), COMMANDS).then((code) => void (process.exitCode = code));
