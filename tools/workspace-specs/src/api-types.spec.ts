import { runTool } from './repository';

describe('npm run api-types', () => {
  it('finds that the API types of the dashboard match the OpenAPI document', () => {
    expect(runTool('api-types.mjs', '--check')).toBe('');
  });
});
