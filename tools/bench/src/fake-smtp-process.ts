import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { startFakeSmtp } from '@clarion/testing';
import { delayIn } from './processes';

/**
 * A mail server in a separate process, which accepts and discards every mail. Prints its URL. `delay=50` delays its
 * replies.
 */
async function main(): Promise<void> {
  const delayMs = delayIn(process.argv.slice(2));
  const fake = await startFakeSmtp({
    onData: (stream, _session, done) => {
      stream.on('end', () => (delayMs > 0 ? setTimeout(done, delayMs) : done()));
      stream.resume();
    },
  });
  process.send!({ host: fake.host, port: fake.port, url: fake.url });
  whenAskedToStop(() => fake.close());
}

main().catch(exitOnFault);
