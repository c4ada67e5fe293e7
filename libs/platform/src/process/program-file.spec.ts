import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programFile } from './program-file';

const LIB = 'libs/platform/dist/tsconfig.lib.tsbuildinfo';
const APP = 'apps/engine/dist/tsconfig.app.tsbuildinfo';
const BUNDLE = 'apps/engine/dist/main.bundle.js';
const MAIN = 'apps/engine/dist/main.js';

describe('programFile', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clarion-program-'));
    write(LIB, 10);
    write(APP, 10);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, second: number): void => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, second, second);
  };
  const found = (): string => programFile('engine', { folder }).slice(folder.length + 1);

  it('is the file of the compiler if there is no bundle', () => {
    expect(found()).toBe(MAIN);
  });

  it('is a bundle that was made after everything was compiled', () => {
    write(BUNDLE, 11);
    expect(found()).toBe(BUNDLE);
  });

  it.each([LIB, APP, 'package-lock.json'])('is the file of the compiler if %s is newer than the bundle', (file) => {
    write(BUNDLE, 11);
    write(file, 12);
    expect(found()).toBe(MAIN);
  });
});
