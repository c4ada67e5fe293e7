import { command } from '../command';

export const DOCTOR = [
  command({
    name: 'doctor',
    canWatch: true,
    about: 'what endangers the promises of this installation, and what to do; 1 if something is bad',
    async run({ open, output, isJson }) {
      const { config, database, secrets, queueBackend, queueOptions } = await open({ anySchema: true });
      const { examine } = await import('@clarion/gateway/command-line');
      const report = await examine(
        {
          config,
          database,
          secrets,
          queueBackend,
          queuePrefix: queueOptions.prefix,
          showsHosts: true,
          showsInstallation: true,
        },
        undefined,
      );
      if (isJson) output.json(report);
      else {
        output.table(report.findings.map(({ severity, check, found }) => ({ severity, check, found })));
        for (const { severity, check, advice } of report.findings) {
          if (advice === null) continue;
          output.line();
          output.line(`${severity}, ${check}: ${advice}`);
        }
      }
      return report.isFine ? 0 : 1;
    },
  }),
];
