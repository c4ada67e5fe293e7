import { execFileSync } from 'node:child_process';
import { shellWord } from './shell-word';

describe('shellWord', () => {
  it('leaves a plain name as it is', () => {
    expect(shellWord('Production')).toBe('Production');
  });

  it.each(['Staging EU', "it's", '$(touch x)', '`id`', 'a;b|c', '"quoted"', 'back\\slash', '', '*'])(
    'keeps %p one word with the same text',
    (name) => {
      expect(execFileSync('/bin/sh', ['-c', `printf '%s|' ${shellWord(name)}`], { encoding: 'utf8' })).toBe(`${name}|`);
    },
  );
});
