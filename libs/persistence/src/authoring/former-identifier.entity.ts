import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../tenancy/organization.entity';

/** An identifier that an environment of the organization had. No other organization gets it. */
@Entity('former_identifier')
@Index('former_identifier_organization_idx', ['organizationId'])
export class FormerIdentifier {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'former_identifier_pkey' }) identifier!: string;

  @ForeignKey(() => Organization, { name: 'former_identifier_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  organizationId!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
