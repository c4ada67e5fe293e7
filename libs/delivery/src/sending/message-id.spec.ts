import { newId, timeOfId } from '@clarion/contracts';
import { messageIdOf } from './message-id';

describe('messageIdOf', () => {
  const stepId = newId();

  it('returns the same id in every attempt, and another id for every target and step', () => {
    expect(messageIdOf(stepId, 'one')).toBe(messageIdOf(stepId, 'one'));
    const ids = [messageIdOf(stepId, 'one'), messageIdOf(stepId, 'two'), messageIdOf(newId(), 'one')];
    expect(new Set(ids).size).toBe(3);
  });

  it('returns a UUIDv7 with the time of the step', () => {
    for (const target of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const id = messageIdOf(stepId, target);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOfId(id)).toBe(timeOfId(stepId));
    }
  });
});
