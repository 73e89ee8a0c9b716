// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/form_section.h"

class QPushButton;
class QVBoxLayout;

namespace sg::ui {

/// What its tokens cost, and what the price book says of its model.
class PriceSection : public FormSection
{
    Q_OBJECT
public:
    PriceSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    using Rate = std::optional<cost::NanoDollars> cost::Rates::*;
    void addRate(const QString& caption, const QString& field, Rate rate);
    const cost::PriceEntry* bookEntry() const;
    void takeFromBook();

    struct RateField
    {
        QuantityField* field;
        Rate rate;
    };
    std::vector<RateField> rates_;
    QLabel* book_ = nullptr;
    QPushButton* take_ = nullptr;
};

class CapabilitiesSection : public FormSection
{
    Q_OBJECT
public:
    CapabilitiesSection(ThemeContext& context, EndpointEditor& editor);
};

/// Own limits, and with whom it shares those of the provider.
class LimitsSection : public FormSection
{
    Q_OBJECT
public:
    LimitsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QComboBox *quota_ = nullptr, *credential_ = nullptr;
    QLabel *quotaNote_ = nullptr, *credentialNote_ = nullptr;
};

class TimeoutsSection : public FormSection
{
    Q_OBJECT
public:
    TimeoutsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QLabel* note_ = nullptr;
};

/// A policy of the library, or rules of its own.
class BreakerSection : public FormSection
{
    Q_OBJECT
public:
    BreakerSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    void choose(const QString& name);

    QComboBox* policy_ = nullptr;
    QLabel* rules_ = nullptr;
};

/// How its provider is reached.
class NetworkSection : public FormSection
{
    Q_OBJECT
public:
    NetworkSection(ThemeContext& context, EndpointEditor& editor);

    /// Asks for a PEM file; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askCaFile;

private:
    void chooseCaFile();
};

/// What the checks say of this endpoint, each with what mends it.
class FindingsSection : public FormSection
{
    Q_OBJECT
public:
    FindingsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QWidget* makeCard(const workspace::Finding& finding);

    QVBoxLayout* list_;
    workspace::Findings shown_;
};

} // namespace sg::ui
