import type { Stage } from './stage';
import { NoCheckoutError } from '@clarion/testing';
import { openBase } from './trees';

describe('openBase', () => {
  it('explains that git has no such commit and leaves nothing to clean up', async () => {
    const onStop = jest.fn();
    const opening = openBase({ onStop } as unknown as Stage, 'no-such-commit');
    await expect(opening).rejects.toThrow(NoCheckoutError);
    // Without a repository, as in an unpacked archive, git itself fails.
    await expect(opening).rejects.toThrow(/git has no commit no-such-commit in|git does not work in/);
    expect(onStop).not.toHaveBeenCalled();
  });
});
