import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../tenancy/organization.entity';
import { Reference } from '../schema/reference';

/** An identifier that an environment of the organization had. No other organization gets it. */
@Entity('former_identifier')
@Index('former_identifier_organization_idx', ['organizationId'])
export class FormerIdentifier {
  @PrimaryColumn('text') identifier!: string;
  @Reference(() => Organization) organizationId!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
