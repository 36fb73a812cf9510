"""Makes 30 pages below the page that a new Wagtail site starts with."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "wagtail_settings"

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402 - Django is set up first
from django.core.management import call_command  # noqa: E402 - Django is set up first
from wagtail.models import Page  # noqa: E402 - Django is set up first

call_command("migrate", verbosity=0)
User.objects.create_superuser("admin", "admin@bench.example", "admin")
home = Page.objects.get(depth=2)
for number in range(1, 31):
    page = home.add_child(instance=Page(title=f"Report {number}", slug=f"report-{number}"))
    page.save_revision().publish()
