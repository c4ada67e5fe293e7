import { runTool } from './repository';

describe('npm run references', () => {
  it('finds that the project references of every tsconfig match the imports', () => {
    expect(runTool('references.mjs', '--check')).toBe('');
  });
});
