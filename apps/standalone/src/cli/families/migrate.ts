import { command } from '../command';

export const MIGRATE = [
  command({
    name: 'migrate',
    about: 'bring the database schema up to date',
    async run({ open, output }) {
      const { config, dataSource, admin } = await open({ anySchema: true });
      const { migrate } = await import('@clarion/persistence');
      const applied = await migrate(dataSource, config.CLARION_PARTITIONS);
      const made = await (await admin()).ensureDefaults(config.CLARION_API_KEY);
      // The operator knows a key from CLARION_API_KEY, and the output of a Job is logged.
      const key = config.CLARION_API_KEY ? 'the one of CLARION_API_KEY' : made?.key;
      if (made) output.show([{ environment: made.environment.name, key }]);
      output.show(
        applied.map((migration) => ({ migration })),
        'The schema is up to date.',
      );
    },
  }),
];
