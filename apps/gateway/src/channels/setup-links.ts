import { Injectable } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import { DomainError, type EnvironmentId, type LinkPurpose, newId } from '@clarion/contracts';
import { type OpenSetupLink, type SetupLink, type SetupLinkDetails, SetupLinkRepository } from '@clarion/persistence';
import { SecretBox, type SecretLocation } from '@clarion/platform';

export type WantedLink = {
  environmentId: EnvironmentId;
  integrationId: string;
  purpose: LinkPurpose;
  details: SetupLinkDetails;
};

/** 16 bytes of an id and 24 bytes of a signature, which fits into the links of every provider. */
export const CODE_LENGTH = 54;
const ID_LENGTH = 22;
const LOOKED_UP_AT_ONCE = 100;

/**
 * Links that let a person without a key set up one thing. The code of a link is an id with a signature that covers the
 * environment, the integration, the subscriber and the purpose. It expires, and it works once.
 */
@Injectable()
export class SetupLinks {
  /** Anyone can invent codes: all lookups together use one connection at a time. */
  private readonly lookups: Batcher<string, OpenSetupLink | undefined>;

  constructor(
    private readonly links: SetupLinkRepository,
    private readonly secrets: SecretBox,
  ) {
    this.lookups = new Batcher({
      maxItems: LOOKED_UP_AT_ONCE,
      maxWaitMs: 0,
      concurrency: 1,
      run: async (ids) => {
        const found = new Map((await links.findMany(ids)).map((link) => [link.id, link]));
        return ids.map((id) => found.get(id));
      },
    });
  }

  async issue(wanted: WantedLink, minutes: number): Promise<{ code: string; expiresAt: Date }> {
    const link = { id: newId(), ...wanted };
    const expiresAt = await this.links.insert(link, minutes);
    const id = Buffer.from(link.id.replaceAll('-', ''), 'hex').toString('base64url');
    return { code: id + this.secrets.shortSignature(textOf(link), locationOf(link)), expiresAt };
  }

  /** Reads a link and leaves it usable. Works for all environments, because the caller has no key. */
  async read(code: string, purposes: readonly LinkPurpose[]): Promise<OpenSetupLink> {
    const link = code.length === CODE_LENGTH && /^[\w-]+$/.test(code) ? await this.lookups.add(idIn(code)) : undefined;
    const isGenuine =
      link &&
      purposes.includes(link.purpose) &&
      this.secrets.isShortSignature(code.slice(ID_LENGTH), textOf(link), locationOf(link));
    if (!isGenuine) throw invalidLink();
    return link;
  }

  /** Uses a link up. Of several callers with one code, one succeeds. */
  async use(link: OpenSetupLink): Promise<void> {
    if (!(await this.links.use(link.environmentId, link.id))) throw invalidLink();
  }
}

const invalidLink = (): DomainError =>
  new DomainError('bad_request', 'This link is not valid: it has expired, was used before, or was changed.');

const locationOf = ({ environmentId, id }: Pick<SetupLink, 'environmentId' | 'id'>): SecretLocation => [
  environmentId,
  'setup_link',
  id,
];

const textOf = ({
  integrationId,
  purpose,
  details,
}: Pick<SetupLink, 'integrationId' | 'purpose' | 'details'>): string =>
  JSON.stringify([integrationId, purpose, details.subscriberId ?? null]);

function idIn(code: string): string {
  const hex = Buffer.from(code.slice(0, ID_LENGTH), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
