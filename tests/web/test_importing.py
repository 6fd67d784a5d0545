"""Uploading an archive, and watching it become pages."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from kb.importing import jobs
from kb.models import Doc, ImportJob, ImportState
from memory import tenancy
from memory.models import Role
from tests.factories import Org, make_member, make_org
from tests.web.conftest import SignedIn


def upload(files: Mapping[str, str], name: str = "handbook.zip") -> SimpleUploadedFile:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        for path, content in files.items():
            out.writestr(path, content)
    return SimpleUploadedFile(name, buffer.getvalue(), "application/zip")


def post(client: Client, org: Org, archive: SimpleUploadedFile, **fields: Any) -> Any:
    return client.post(f"/{org.tenant.slug}/import", {"archive": archive, **fields})


def only_job(org: Org) -> ImportJob:
    with tenancy.scope(org.tenant.pk):
        return ImportJob.objects.get()


def work(org: Org) -> ImportJob:
    jobs.work(org.tenant.pk, only_job(org).pk)
    return only_job(org)


def test_editor_uploads_an_archive_and_sees_its_pages(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    response = post(
        client, org, upload({"a.md": "[b](b.md)", "b.md": "B.", "c.md": ""}), publish="on"
    )
    job = only_job(org)
    assert response["Location"] == f"/{org.tenant.slug}/import/{job.pk}"
    assert (job.origin, job.total, job.state) == ("handbook", 3, ImportState.WAITING)
    waiting = client.get(response["Location"]).content.decode()
    assert "0 of 3 files" in waiting
    assert f'data-progress="{response["Location"]}/progress"' in waiting
    job = work(org)
    assert (job.state, bytes(job.archive)) == (ImportState.DONE, b"")
    progress = client.get(f"{response['Location']}/progress").json()
    assert (progress["is_over"], progress["done"], progress["total"]) == (True, 3, 3)
    assert {name: n for name, n in progress["counts"].items() if n} == {"added": 2, "failed": 1}
    page = client.get(response["Location"]).content.decode()
    assert "A page needs some text." in page
    assert f'href="/{org.tenant.slug}/p/a"' in page
    assert "data-progress" not in page
    assert client.get(f"/{org.tenant.slug}/p/a").status_code == 200
    assert "handbook" in client.get(f"/{org.tenant.slug}/import").content.decode()


def test_upload_is_imported_by_a_worker_after_the_request(
    committed_db: None, eager_tasks: None
) -> None:
    org = make_org()
    client = Client()
    client.force_login(org.editor.user)
    post(client, org, upload({"a.md": "A."}), publish="on")
    assert only_job(org).state == ImportState.DONE
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.get().slug == "a"


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (SimpleUploadedFile("a.zip", b"no archive"), "no zip archive"),
        (upload({"notes.txt": "x"}), "no Markdown and no HTML"),
        (SimpleUploadedFile("a.zip", b""), "empty"),
    ],
)
def test_upload_that_cannot_be_imported_says_why(
    org: Org, signed_in: SignedIn, archive: SimpleUploadedFile, said: str
) -> None:
    archive.seek(0)
    response = post(signed_in(org.editor), org, archive)
    assert response.status_code == 400
    assert said in response.content.decode()
    with tenancy.scope(org.tenant.pk):
        assert not ImportJob.objects.exists()


def test_upload_that_is_too_large_is_refused(
    org: Org, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.forms.MAX_ARCHIVE", 2**10)
    response = post(signed_in(org.editor), org, upload({"a.md": "A. " * 999}))
    assert response.status_code == 400


def test_reader_and_outsider_find_no_import(org: Org, signed_in: SignedIn, visitor: Client) -> None:
    post(signed_in(org.editor), org, upload({"a.md": "A."}))
    address = f"/{org.tenant.slug}/import"
    for member in (org.reader, make_org().editor):
        client = signed_in(member)
        assert client.get(address).status_code == 404
        assert post(client, org, upload({"b.md": "B."})).status_code == 404
        assert client.get(f"{address}/{only_job(org).pk}").status_code == 404
        assert client.get(f"{address}/{only_job(org).pk}/progress").status_code == 404
    assert visitor.get(address).status_code == 302


def test_report_is_for_whoever_started_it_and_admins(org: Org, signed_in: SignedIn) -> None:
    post(signed_in(org.editor), org, upload({"a.md": "A."}))
    address = f"/{org.tenant.slug}/import/{only_job(org).pk}"
    other = signed_in(make_member(org, Role.EDITOR))
    assert other.get(address).status_code == 404
    assert "handbook" not in other.get(f"/{org.tenant.slug}/import").content.decode()
    assert signed_in(org.admin).get(address).status_code == 200


def test_long_import_goes_on_in_another_slice(
    org: Org, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(signed_in(org.editor), org, upload({f"p{n}.md": "P." for n in range(3)}))
    monkeypatch.setattr(jobs, "SLICE", 0.0)  # one page each
    for done in (1, 2, 3):
        job = work(org)
        assert len(job.report) == done
        assert (job.state, job.leased_until) == (ImportState.RUNNING, None)
    job = work(org)
    assert job.state == ImportState.DONE
    assert [one["outcome"] for one in job.report] == ["added"] * 3


def test_job_that_another_worker_holds_is_left_to_it(org: Org, signed_in: SignedIn) -> None:
    post(signed_in(org.editor), org, upload({"a.md": "A."}))
    with tenancy.scope(org.tenant.pk):
        ImportJob.objects.update(leased_until=timezone.now() + timedelta(minutes=1))
    assert work(org).report == []
    with tenancy.scope(org.tenant.pk):
        ImportJob.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    assert jobs.resume(org.tenant.pk) == 1
    assert work(org).state == ImportState.DONE
    assert jobs.resume(org.tenant.pk) == 0
    jobs.work(org.tenant.pk, only_job(org).pk)  # late, it changes nothing
    assert len(only_job(org).report) == 1


def test_import_of_somebody_who_is_no_longer_an_editor_stops(org: Org, signed_in: SignedIn) -> None:
    post(signed_in(org.editor), org, upload({"a.md": "A."}))
    org.editor.role = Role.READER
    org.editor.save()
    job = work(org)
    assert (job.state, "no longer an editor" in job.error) == (ImportState.FAILED, True)
    with tenancy.scope(org.tenant.pk):
        assert not Doc.objects.exists()
