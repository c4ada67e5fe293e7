import { runTool } from './repository';

describe('files that a command writes', () => {
  it.each(['authoring', 'execution-details', 'providers'])('are those of npm run %s', (command) => {
    expect(runTool(`pages/${command}.mjs`, '--check')).toBe('');
  });
});
