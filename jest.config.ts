import type { Config } from 'jest';

const config: Config = {
  projects: ['<rootDir>/{apps,libs,tools}/*/jest.config.cjs'],
  // The machines are shared: a time that is too long costs nothing, one that is too short costs a false alarm.
  testTimeout: 30_000,
};

export default config;
