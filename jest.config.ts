import type { Config } from 'jest';

const config: Config = {
  projects: ['<rootDir>/{apps,libs,tools}/*/jest.config.cjs'],
};

export default config;
