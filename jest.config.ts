import type { Config } from 'jest';

const config: Config = {
  projects: ['<rootDir>/{apps,libs,tools}/*/jest.config.cjs'],
  // The machines are shared: a time that is too long costs nothing, one that is too short costs a false alarm.
  testTimeout: 30_000,
  testSequencer: '<rootDir>/tools/longest-first.cjs',
  // A worker keeps something of every spec; a full one is slow, so it makes room for a new one.
  workerIdleMemoryLimit: '1GB',
};

export default config;
