from __future__ import annotations

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import pgvector.django.halfvec
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tenant",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("is_superuser", models.BooleanField(default=False, help_text="Designates that this user has all permissions without explicitly assigning them.", verbose_name="superuser status")),
                ("username", models.CharField(error_messages={"unique": "A user with that username already exists."}, help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.", max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name="username")),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                ("is_staff", models.BooleanField(default=False, help_text="Designates whether the user can log into this admin site.", verbose_name="staff status")),
                ("is_active", models.BooleanField(default=True, help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.", verbose_name="active")),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("groups", models.ManyToManyField(blank=True, help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.", related_name="user_set", related_query_name="user", to="auth.group", verbose_name="groups")),
                ("user_permissions", models.ManyToManyField(blank=True, help_text="Specific permissions for this user.", related_name="user_set", related_query_name="user", to="auth.permission", verbose_name="user permissions")),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "swappable": "AUTH_USER_MODEL",
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                ("tenant", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name="+", serialize=False, to="memory.tenant")),
                ("seq", models.PositiveBigIntegerField(default=0)),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Bank",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(choices=[("pages", "Pages"), ("memory", "Memory")], default="memory", max_length=10)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("severity", models.SmallIntegerField(choices=[(2, "2"), (3, "3")])),
                ("name", models.CharField(max_length=60)),
                ("trace_id", models.CharField(blank=True, max_length=32)),
                ("data", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("role", models.CharField(choices=[("reader", "Reader"), ("editor", "Editor"), ("admin", "Admin")], default="reader", max_length=10)),
                ("groups", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tenant", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="memberships", to="memory.tenant")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "ordering": ("tenant", "user"),
            },
        ),
        migrations.CreateModel(
            name="Node",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("level", models.CharField(choices=[("L0", "L0 raw passage"), ("L1", "L1 fact"), ("L2", "L2 observation"), ("R", "R reference section")], max_length=2)),
                ("sha", models.CharField(max_length=64)),
                ("text", models.TextField()),
                ("heading_path", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ("language", models.CharField(blank=True, max_length=12)),
                ("document_id", models.UUIDField(null=True)),
                ("chunk_id", models.UUIDField(null=True)),
                ("char_start", models.PositiveIntegerField(default=0)),
                ("char_end", models.PositiveIntegerField(default=0)),
                ("term_count", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("bank", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memory.bank")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                ("pk", models.CompositePrimaryKey("tenant_id", "bank_id", "level", "term", "node_id", blank=True, editable=False, primary_key=True, serialize=False)),
                ("level", models.CharField(choices=[("L0", "L0 raw passage"), ("L1", "L1 fact"), ("L2", "L2 observation"), ("R", "R reference section")], max_length=2)),
                ("term", models.CharField(max_length=120)),
                ("count", models.PositiveIntegerField()),
                ("bank", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memory.bank")),
                ("node", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memory.node")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
        ),
        migrations.CreateModel(
            name="Vector",
            fields=[
                ("pk", models.CompositePrimaryKey("tenant_id", "node_id", "recipe", blank=True, editable=False, primary_key=True, serialize=False)),
                ("recipe", models.CharField(max_length=120)),
                ("level", models.CharField(choices=[("L0", "L0 raw passage"), ("L1", "L1 fact"), ("L2", "L2 observation"), ("R", "R reference section")], max_length=2)),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
                ("node", models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memory.node")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField()),
                ("kind", models.CharField(max_length=60)),
                ("trace_id", models.CharField(blank=True, max_length=32)),
                ("body", models.JSONField()),
                ("created_at", models.DateTimeField()),
                ("prev_hash", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ("-seq",),
                "indexes": [models.Index(fields=["tenant", "trace_id"], name="auditentry_trace")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="auditentry_tenant_id"), models.UniqueConstraint(fields=("tenant", "seq"), name="auditentry_seq_once")],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("digest", models.CharField(max_length=64)),
                ("scopes", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="apikey_tenant_id"), models.UniqueConstraint(fields=("tenant", "digest"), name="apikey_digest_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="bank",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="bank_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="bank",
            constraint=models.UniqueConstraint(condition=models.Q(("kind", "pages")), fields=("tenant",), name="bank_of_pages_once"),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["tenant", "-created_at"], name="event_recent"),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="event_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("tenant", "user"), name="membership_once_per_tenant"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(condition=models.Q(("role__in", ["reader", "editor", "admin"])), name="membership_role_known"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["tenant", "bank", "level"], name="node_bank_level"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["tenant", "document_id"], name="node_document"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["tenant", "sha"], name="node_sha"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="node_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(condition=models.Q(("char_end__gte", models.F("char_start"))), name="node_span_ordered"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(condition=models.Q(("level__in", ["L0", "L1", "L2", "R"])), name="node_level"),
        ),
        migrations.AddIndex(
            model_name="term",
            index=models.Index(fields=["tenant", "node"], name="term_node"),
        ),
    ]
