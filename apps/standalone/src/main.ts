import { endSmallStart } from './small-start';
import { assertPortFree, lockDataDir } from '@clarion/embedded';
import { createLogger, exitOnFault, Health, loadConfig, whenAskedToStop } from '@clarion/platform';
import type { Defaults } from './roles';
import { type Servers, openServers } from './servers';

/** Every role in one command; `npm start` runs this. */
async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'clarion', pretty: process.stdout.isTTY });
  // Checked before any server is started, so that the error comes at once.
  await assertPortFree(config.PORT, config.HOST);
  const lock = lockDataDir(config.CLARION_DATA_DIR);
  let servers: Servers | undefined;
  try {
    const opening = openServers(config, (line) => logger.debug(line));
    // The servers start while the code of the roles is loaded.
    const [{ prepareDatabase, startRoles }] = await Promise.all([import('./roles.js'), opening]);
    servers = await opening;
    const defaults = await prepareDatabase(config, servers);
    const health = new Health();
    const roles = await startRoles(config, servers, logger, health);
    const { stop } = servers;
    void servers.died.then(async (reason) => {
      logger.fatal(`${reason}; stopping`);
      await roles.close().catch(() => undefined);
      exitOnFault(new Error(reason));
    });
    const stopAll = async (): Promise<void> => {
      await roles.close();
      await stop();
      lock.release();
    };
    // The gateway, the engine and the workers stop one after the other.
    whenAskedToStop(stopAll, { config, health, stages: 3 });
    const seconds = (performance.now() / 1000).toFixed(1);
    process.stdout.write(welcome(roles.url, defaults, servers.description, seconds));
    // As the processes of single roles do.
    process.send?.({ ready: 'clarion' });
    endSmallStart();
  } catch (error) {
    await servers?.stop();
    lock.release();
    throw error;
  }
}

function welcome(url: string, { key, identifier, signInToken }: Defaults, servers: string, seconds: string): string {
  const rows = [
    // The token is in the fragment, which browsers do not send.
    ['Dashboard', signInToken ? `${url}/#token=${signInToken}` : url],
    ['Base URL', url],
    ['API key', key ?? 'shown when it was made; `npm run clarion -- keys create` makes another'],
    ['Application id', identifier],
    ['API reference', `${url}/docs`],
    ['Data', servers],
  ];
  const lines = rows.map(([name, value]) => `    ${name!.padEnd(16)}${value}`);
  return `\n  Clarion is ready (${seconds} s)\n\n${lines.join('\n')}\n\n  Ctrl-C stops everything.\n\n`;
}

main().catch(exitOnFault);
