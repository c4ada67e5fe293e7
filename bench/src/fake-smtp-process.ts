import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { startFakeSmtp } from '@clarion/testing';

/** A mail server in a process of its own, which takes every mail and keeps none. Says where it is. */
async function main(): Promise<void> {
  const fake = await startFakeSmtp({
    onData: (stream, _session, done) => {
      stream.on('end', () => done());
      stream.resume();
    },
  });
  process.send!({ host: fake.host, port: fake.port });
  whenAskedToStop(() => fake.close());
}

main().catch(exitOnFault);
