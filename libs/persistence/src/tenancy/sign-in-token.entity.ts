import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ApiKey } from './api-key.entity';
import { Reference } from '../schema/reference';

/** A link that opens one session of a key, once. `npm start` prints it. */
@Entity('sign_in_token')
@Index('sign_in_token_key_idx', ['keyId'])
export class SignInToken {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Reference(() => ApiKey) keyId!: string;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) usedAt!: Date | null;
}
