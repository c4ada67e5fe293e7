/**
 * Replaces the programs that the runbook calls, under their names, so that its commands can run in the specs. Redis,
 * the gateway and the commands of `npm run clarion` are real; calls of kubectl and other npm scripts are only
 * recorded.
 */
const { spawnSync } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const { basename } = require('node:path');

const [, program, ...args] = process.argv;
const after = (name) => args[args.indexOf(name) + 1];

const PROGRAMS = {
  async 'redis-cli'() {
    const { Redis } = require('ioredis');
    const redis = new Redis(after('-u'));
    const answer = await redis.call(...args.slice(args.indexOf('-u') + 2));
    redis.disconnect();
    return String(answer);
  },
  async curl() {
    const headers = args.flatMap((word, at) => (args[at - 1] === '-H' ? [word.split(/: (.*)/).slice(0, 2)] : []));
    const url = args.find((word) => word.startsWith('http'));
    const method = args.includes('-X') ? after('-X') : 'GET';
    const body = args.includes('-d') ? after('-d') : undefined;
    const answer = await fetch(url, { method, headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text;
  },
  kubectl: async () => written(),
  npm: async () => (args[1] === 'clarion' ? runClarion() : written()),
};

/** Exit code 1 with an answer means that the answer is bad, such as work that is stuck: the command itself works. */
function runClarion() {
  written();
  const command = [process.env.STAND_IN_CLARION, ...args.slice(3)];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status === 0 || (status === 1 && stdout !== '')) return stdout;
  throw new Error(stderr);
}

function written() {
  appendFileSync(process.env.STAND_IN_LOG, `${[basename(program), ...args].join(' ')}\n`);
  return '';
}

PROGRAMS[basename(program)]().then(
  (text) => process.stdout.write(`${text}\n`),
  (error) => {
    process.stderr.write(`${basename(program)}: ${error.message}\n`);
    // An open connection must not keep the process alive.
    process.exit(1);
  },
);
