import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentRepository } from '@clarion/persistence';
import { equalInConstantTime, openApiKey, SecretBox } from '@clarion/platform';

/** Tells whether a backend that has an API key of the environment signed a text. */
export type SignatureCheck = (text: string, signature: string | undefined) => boolean;

/**
 * Checks the signatures of inbox sessions: HMAC-SHA256 in hexadecimal digits under any API key of the environment that
 * is neither revoked nor expired. With two keys, a backend can change from one to the other without an interruption.
 */
@Injectable()
export class InboxSignatures {
  constructor(
    private readonly environments: EnvironmentRepository,
    private readonly secrets: SecretBox,
  ) {}

  async checksFor(environmentId: EnvironmentId): Promise<SignatureCheck> {
    const sealed = await this.environments.listSealedKeys(environmentId);
    const keys = sealed.flatMap((key) => openApiKey(this.secrets, { environmentId, ...key }) ?? []);
    return (text, signature) => {
      if (signature === undefined) return false;
      const given = Buffer.from(signature.toLowerCase());
      // Every key is tried, so that the time does not say which one fits.
      const matches = keys.map((key) => equalInConstantTime(given, hexHmac(key, text)));
      return matches.includes(true);
    };
  }
}

const hexHmac = (key: string, text: string): Buffer =>
  Buffer.from(createHmac('sha256', key).update(text).digest('hex'));
