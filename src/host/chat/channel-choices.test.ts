import { expect, it } from 'vitest';
import { channelChoices } from './channel-choices.ts';

it('Channels of one name are told apart by their spaces, or by id if the spaces share a name', () => {
  const general = (id: string, spaceName: string | undefined) => ({ id, name: 'general', spaceName });
  expect(channelChoices([general('ch_1', 'Garden'), general('ch_2', 'My shed')])).toBe(
    '"Garden/#general", "My shed/#general"',
  );
  expect(
    channelChoices([general('ch_1', 'Garden'), general('ch_2', 'garden'), general('ch_3', undefined)]),
  ).toBe('ch_1, ch_2, ch_3');
});
