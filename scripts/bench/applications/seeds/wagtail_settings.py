"""Wagtail's admin as it comes, on top of the settings for Django."""

from django_settings import *  # noqa: F403
from django_settings import MIDDLEWARE as MIDDLEWARE

ROOT_URLCONF = "wagtail_urls"
INSTALLED_APPS = [
    "wagtail.contrib.forms",
    "wagtail.contrib.redirects",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django_filters",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
WAGTAIL_SITE_NAME = "Bench"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
