/* Type descriptors as types: what the catalog tells the registry of storage/types/type_user.h. */
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_internal.h"
#include "storage/types/type_enum.h"
#include "storage/types/type_user.h"

/* Its base type is older, so it is known by now. */
static Status define_domain(const CatalogSnapshot *snapshot, const TypeDesc *desc, Error *err)
{
    const Desc *schema = catalog_snapshot_find(snapshot, desc->base.parent_schema);
    DomainShape shape = {desc->base.id, desc->array_oid, schema ? schema->name : "public", desc->base.name, desc->of};
    return type_domain_define(&shape, err);
}

static Status define(const CatalogSnapshot *snapshot, const TypeDesc *desc, Error *err)
{
    if (desc->form == TYPE_DOMAIN) return define_domain(snapshot, desc, err);
    Arena *scratch = arena_create(NULL, 0);
    const Desc *schema = catalog_snapshot_find(snapshot, desc->base.parent_schema);
    EnumMember *members = ARENA_ARRAY(scratch, EnumMember, desc->labels.count + 1);
    for (int i = 0; i < desc->labels.count; i++) {
        const EnumLabel *label = &desc->labels.items[i];
        members[i] = (EnumMember){slice_str(label->label), label->physical, label->oid, (float)((double)label->order / 1e6)};
    }
    EnumShape shape = {desc->base.id, desc->array_oid, schema ? schema->name : "public", desc->base.name, members,
                       desc->labels.count};
    Status st = type_enum_define(&shape, err);
    arena_destroy(scratch);
    return st;
}

Status catalog_define_type(const CatalogView *view, const TypeDesc *desc, Error *err)
{
    return define(catalog_view_snapshot(view), desc, err);
}

void snapshot_define_types(const CatalogSnapshot *snapshot, const CatalogChange *changes, int count)
{
    for (int i = 0; i < count; i++) {
        const Desc *desc = changes[i].desc_changed ? catalog_snapshot_find(snapshot, changes[i].id) : NULL;
        Error err = {0};
        if (desc && desc->kind == DESC_TYPE) (void)define(snapshot, (const TypeDesc *)desc, &err);
    }
}
