/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  projects: ['<rootDir>/{apps,libs,tools}/*/jest.config.cjs'],
  // Machines are shared. A limit that is too short causes false alarms; one that is too long costs nothing. jest reads
  // it here only: it ignores the limit of a project.
  testTimeout: 240_000,
  testSequencer: '<rootDir>/tools/jest/sequencer.cjs',
  // A worker process keeps memory of every spec and becomes slow. Above this limit jest replaces it.
  workerIdleMemoryLimit: '1GB',
};

export default config;
