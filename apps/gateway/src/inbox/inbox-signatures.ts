import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts';
import { InboxSecretRepository, type InboxSigner } from '@clarion/persistence';
import { equalInConstantTime, openApiKey, openInboxSecret, SecretBox } from '@clarion/platform';

/** Returns the id of the secret or the key that signed a text; undefined if none did. */
export type SignerCheck = (text: string, signature: string | undefined) => string | undefined;

/**
 * Checks the signatures of inbox sessions: HMAC-SHA256 in hexadecimal digits under the inbox secret of the environment,
 * or under an API key that may sign. With both, or with two keys, a backend can change without an interruption.
 */
@Injectable()
export class InboxSignatures {
  constructor(
    private readonly rows: InboxSecretRepository,
    private readonly secrets: SecretBox,
  ) {}

  async checksFor(environmentId: EnvironmentId): Promise<SignerCheck> {
    const signers = (await this.rows.listSigners(environmentId)).flatMap((signer) => {
      const key = this.open(environmentId, signer);
      return key === undefined ? [] : [{ id: signer.id, key }];
    });
    return (text, signature) => {
      if (signature === undefined) return undefined;
      const given = Buffer.from(signature.toLowerCase());
      // Every signer is tried, so that the time does not say which one fits.
      const matching = signers.filter(({ key }) => equalInConstantTime(given, hexHmac(key, text)));
      return matching[0]?.id;
    };
  }

  private open(environmentId: EnvironmentId, { table, id, sealed }: InboxSigner): string | undefined {
    return table === 'api_key'
      ? openApiKey(this.secrets, { environmentId, id, encryptedKey: sealed })
      : openInboxSecret(this.secrets, { environmentId, id, secret: sealed });
  }
}

const hexHmac = (key: string, text: string): Buffer =>
  Buffer.from(createHmac('sha256', key).update(text).digest('hex'));
