"""Makes 400 users in 12 groups; the list in the admin shows 100 of them."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "django_settings"

import django

django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402 - Django is set up first
from django.core.management import call_command  # noqa: E402 - Django is set up first

CITIES = [f"City {letter}" for letter in "ABCDEFGHIJKL"]
NAMES = [
    "Ada",
    "Bo",
    "Chidi",
    "Dora",
    "Eun",
    "Fritz",
    "Gita",
    "Hugo",
    "Ines",
    "Jun",
    "Kofi",
    "Lena",
]

call_command("migrate", verbosity=0)
User.objects.create_superuser("admin", "admin@bench.example", "admin")
Group.objects.bulk_create(Group(name=f"{city} office") for city in CITIES)
User.objects.bulk_create(
    User(
        username=f"{NAMES[number % 12].lower()}{number:03d}",
        first_name=NAMES[number % 12],
        last_name=f"of {CITIES[number * 5 % 12]}",
        email=f"{NAMES[number % 12].lower()}{number}@bench.example",
        is_staff=number % 7 == 0,
        is_active=number % 11 != 0,
    )
    for number in range(1, 401)
)
