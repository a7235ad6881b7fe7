/** What a command may require of the person: Discord's Manage Server, or Manage Roles. */
export const permissions = ['manage-guild', 'manage-roles'] as const;
export type Permission = (typeof permissions)[number];

export function hasPermission(
  { mayManage, mayManageRoles = false }: { readonly mayManage: boolean; readonly mayManageRoles?: boolean },
  permission: Permission,
): boolean {
  return permission === 'manage-guild' ? mayManage : mayManageRoles;
}
