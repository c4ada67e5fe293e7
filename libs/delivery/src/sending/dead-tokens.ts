import { type Database, SubscriberChannelRepository } from '@clarion/persistence';
import { openChannel, sealChannel, type SecretBox } from '@clarion/platform';
import type { DeadToken, DeadTokens } from '../ports';

export class SubscriberTokens implements DeadTokens {
  private readonly channels = new SubscriberChannelRepository(this.database);

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  remove({ environmentId, channelId, token }: DeadToken): Promise<void> {
    return this.database.transaction(async () => {
      const row = await this.channels.lockById(environmentId, channelId);
      if (!row) return;
      const credentials = openChannel(this.secrets, row);
      const deviceTokens = (credentials.deviceTokens ?? []).filter((known) => known !== token);
      const sealed = sealChannel(this.secrets, environmentId, channelId, { ...credentials, deviceTokens });
      await this.channels.replaceCredentials(environmentId, channelId, sealed);
    });
  }
}
